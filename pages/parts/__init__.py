"""Drawing shared by pages; it decides nothing that a view or the workbench can decide."""
