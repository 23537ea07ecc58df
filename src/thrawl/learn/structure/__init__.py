"""Structure: from a start page to the families of boards and threads, their entry page and their patterns.

Rules propose (`groups`, `families`), each proposal gets evidence (`evidence`), a small model weighs it (`roles`), and
`infer` takes the best joint explanation of the site. `explore` fetches the page that would settle most.
"""
