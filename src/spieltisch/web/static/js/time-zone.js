// Setting up a table: the time zone of the hours of play is that of whoever sets it up, until they choose another.

const zone = document.getElementById('zone');
if (zone.value === 'UTC') zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.getElementById('zones').append(...Intl.supportedValuesOf('timeZone').map((name) => new Option('', name)));
