// A fragment from the lines of the one before and what is new: a line after a "+", or from which line on how many are as they were.
export function applyChanges(had, changes) {
  return changes.flatMap((change) => {
    if (change.startsWith('+')) return [change.slice(1)];
    const [start, many] = change.split(' ').map(Number);
    return had.slice(start, start + many);
  });
}
