// Tells the style sheets before the first drawing that scripts run: browsers of 2022 have no `@media (scripting: enabled)`.
document.documentElement.dataset.hasScripts = '';
if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
