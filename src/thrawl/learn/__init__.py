"""What a site's URLs and pages mean; the result is a profile."""
