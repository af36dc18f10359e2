// A kind of move with three parameters as a grid: the words of the first are its rows, those of the last its columns, and those between
// are the alternatives of a switch. Impossible words are in the tree, too, except below others.

// In the tree, impossible words come last; on the boards, their elements are in order.
function sortInBoardOrder(nodes, boardOrder) {
  return [...nodes].sort((node, otherNode) => boardOrder.indexOf(node.place) - boardOrder.indexOf(otherNode.place));
}

export function buildGrid(gridNode, boardOrder) {
  const sortedRows = sortInBoardOrder(gridNode.children, boardOrder);
  const rows = [...sortedRows.filter((row) => !row.isBlocked), ...sortedRows.filter((row) => row.isBlocked)];
  const numberNodes = rows[0].children;
  const columns = sortInBoardOrder(numberNodes.find((node) => !node.isBlocked).children, boardOrder);
  // The move of a cell, or the words that are already impossible.
  function findMoveAt(row, number, column) {
    const numberNode = row.children.find((node) => node.text === number);
    const columnNode = numberNode?.children.find((node) => node.text === column.text);
    const nodesToCell = [gridNode, row, numberNode, columnNode].filter(Boolean);
    const blockedIndex = nodesToCell.findIndex((node) => node.isBlocked);
    return {
      node: (blockedIndex < 0 && columnNode) || null,
      words: nodesToCell.slice(0, blockedIndex + 1).map((node) => node.text),
      names: [row, column].map((node) => node.label.trim()).join(' – '),
    };
  }
  const isPossible = ({ text }) => rows.some((row) => columns.some((column) => findMoveAt(row, text, column).node));
  return { rows, columns, numbers: numberNodes, findMoveAt, firstNumber: (numberNodes.findLast(isPossible) ?? numberNodes.at(-1)).text };
}
