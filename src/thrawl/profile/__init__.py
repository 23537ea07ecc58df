"""What a worker loads to read pages by a profile: the profile, URL types, pagers, the cutting of posts and rows."""
