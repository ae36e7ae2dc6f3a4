"""The database of runs (SQLModel); it never knows a page, a method or a model."""

from irag.store.database import Database, open_database
from irag.store.runs import RunCard, RunStore

__all__ = ["Database", "RunCard", "RunStore", "open_database"]
