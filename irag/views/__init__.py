"""What a person sees of a trace, as values and text; it never draws on a page."""
