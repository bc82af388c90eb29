"""THE TABLES: each paper's comparison of algorithms, measured row by row.

    declarations.py   Row, Comparison, and what a row's claim says about growth
    measuring.py      from a row to the numbers that stand beside its claim
    judging.py        a table as the parts of a claim
    catalogue.py      which tables there are
    exhibits.py       the table and its figure, as data for a page

One file a table: directed_rings.py (000.1), labeled_rings.py (001.1), numbered_agents.py (002.1), uniform_start.py (003.1),
lower_bounds.py (003.2), stabilizing.py (004.1).
"""
