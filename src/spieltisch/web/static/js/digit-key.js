// The digit that a key stands for, 0 for none. Where the row of digits types other signs (AZERTY), its place counts.

export function getDigit({ key, code, shiftKey }) {
  if (/^[1-9]$/.test(key)) return Number(key);
  return shiftKey ? 0 : Number(/^Digit([1-9])$/.exec(code)?.[1] ?? 0);
}
