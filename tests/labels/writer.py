"""A process of its own that labels: python -m tests.labels.writer FOLDER PROJECT NAMES COUNT.

Each name is a thread. A line is printed for each label that was acknowledged, at once.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from irag.labels.acts import Accepted, Seat, Serving
from tests.labels.making import label, labels_at

_printing = threading.Lock()


def work(folder: Path, project_id: str, name: str, count: int) -> None:
    labels, seat = labels_at(folder), Seat(name, name, "annotator")
    serving = labels.desk.next(seat, project_id)
    for _ in range(count):
        if not isinstance(serving, Serving):
            break
        mark = label(len(name) % 4)
        turn = labels.desk.submit_and_next(seat, serving.ticket, mark)
        assert isinstance(turn.outcome, Accepted), turn.outcome
        with _printing:
            print(mark.event_id, serving.item.id, name, flush=True)
        serving = turn.serving


def main() -> None:
    folder, project_id, names, count = sys.argv[1:]
    threads = [
        threading.Thread(target=work, args=(Path(folder), project_id, name, int(count)))
        for name in names.split(",")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
