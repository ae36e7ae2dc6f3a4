"""The command line's verbs, one file a family: they parse and print, and never do the work."""
