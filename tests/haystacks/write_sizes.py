"""Count the haystacks that ship, after one of them or the way to cut and count has changed.

python -m tests.haystacks.write_sizes
"""

from __future__ import annotations

from niah.haystacks.documents import haystack_names
from niah.haystacks.sizes import SIZES_FILE, counted_sizes
from niah.paths import shipped

if __name__ == "__main__":
    (shipped("haystacks") / SIZES_FILE).write_bytes(counted_sizes(haystack_names()))
