// Tells the style sheets before the first drawing that scripts run: browsers of 2022 have no `@media (scripting: enabled)`.
document.documentElement.dataset.hasScripts = '';
// What a player keeps folded (`folded-parts.js`) would be seen for a moment, and then all below it would move. In a replay nothing is folded.
if (!document.documentElement.dataset.bodyClasses.includes('replay-page')) {
  try {
    const storedParts = localStorage.getItem('folded-parts');
    if (storedParts !== null) document.documentElement.dataset.foldedParts = storedParts;
  } catch { /* the browser keeps nothing */ }
}
if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
