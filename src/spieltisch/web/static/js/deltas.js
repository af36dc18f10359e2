// Rebuild a fragment from the lines of the previous one and the changes: a line after "+", or the number from which lines are copied.
export function applyChanges(had, changes) {
  return changes.flatMap((change) => {
    if (change.startsWith('+')) return [change.slice(1)];
    const [start, many] = change.split(' ').map(Number);
    return had.slice(start, start + many);
  });
}
