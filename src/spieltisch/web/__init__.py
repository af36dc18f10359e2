"""Pages, boards, push."""
