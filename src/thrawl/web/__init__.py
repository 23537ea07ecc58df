"""What people see of an archive: the reader (as a static site and served), the dashboard and the HTTP API.

One set of templates has two uses: `static` writes them into a folder, `app` serves them from the database. What a page
shows is put together in `reader`, where its links lead in `links`, and what strangers wrote passes through `clean`.
"""
