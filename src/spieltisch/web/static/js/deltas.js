// Rebuild a fragment from the lines of the previous one and the changes: a line after "+", or the number from which lines are copied.
export function applyChanges(previousLines, changes) {
  return changes.flatMap((change) => {
    if (change.startsWith('+')) return [change.slice(1)];
    const [firstLine, lineCount] = change.split(' ').map(Number);
    return previousLines.slice(firstLine, firstLine + lineCount);
  });
}
