"""Each kind of file becomes sections of plain text or records; it never follows a link.

What it reads is untrusted: sizes and times are bounded, nothing is fetched, run or written.
"""
