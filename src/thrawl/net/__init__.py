"""How a URL becomes a response.

Three makers of responses implement `message.Fetcher`: the live `client.Client`, `replay.MirrorReplay` and
`warc_replay.WarcReplay`. The client's own parts, in the order in which a request meets them:

    url        the one spelling of a URL
    guard      addresses that are never connected to
    robots     what a site does not want fetched
    pace       when a host may be asked
    proxy      through whom
    cookies    what is sent along
    transfer   one hop, within one deadline
    decode     the body unpacked, within its limits
    charset    the body as text
    retry      whether to try again, and when
    warc       the exchange kept on disk
"""
