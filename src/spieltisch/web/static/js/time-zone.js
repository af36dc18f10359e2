// For a new table: preset the time zone of the playing hours to that of the browser.

const zoneField = document.getElementById('time-zone');
if (zoneField.value === 'UTC') zoneField.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById('time-zones').append(...Intl.supportedValuesOf('timeZone').map((name) => new Option('', name)));
