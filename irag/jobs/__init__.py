"""Long work that outlives a page and the app: queued, watched, stopped; done by other rooms."""

from irag.jobs.queue import Jobs
from irag.jobs.shelf import Shelf
from irag.store.jobs import Job

__all__ = ["Job", "Jobs", "Shelf"]
