// Tells the style sheets that scripts run, before anything is drawn: browsers of 2022 have no `@media (scripting: enabled)`.
document.documentElement.dataset.scripts = '';
