// For a new table: preset the time zone of the playing hours to that of the browser.

const zone = document.getElementById('zone');
if (zone.value === 'UTC') zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById('zones').append(...Intl.supportedValuesOf('timeZone').map((name) => new Option('', name)));
