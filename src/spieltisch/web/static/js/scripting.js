// For browsers of 2022. First, tells the style sheets that scripts run, before anything is drawn: they have no `@media (scripting: enabled)`.
document.documentElement.dataset.scripts = '';
if (!('popover' in HTMLElement.prototype)) import('./popovers.js');
