// Times in the reader's time zone; the server knows only UTC. Where seconds matter, the remaining time is shown, too;
// where only the age matters (`data-ago`), times of the last week are relative, with the exact time as title.

const [day, time] = [{ day: 'numeric', month: 'short', year: 'numeric' }, { timeStyle: 'short' }]
  .map((parts) => new Intl.DateTimeFormat(document.documentElement.lang, parts));

const age = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
const UNITS = Object.entries({ day: 86400, hour: 3600, minute: 60 });

/** Return the time since then, such as "3 minutes ago"; nothing if that is more than a week. */
function ago(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1000);
  if (seconds > 7 * 86400) return null;
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', Infinity];
  return age.format(-Math.floor(seconds / length), unit);
}

function show() {
  for (const shown of document.querySelectorAll('time[datetime]')) {
    const at = new Date(shown.dateTime);
    const seconds = 'left' in shown.dataset ? Math.max(0, Math.round((at - Date.now()) / 1000)) : null;
    const left = seconds === null ? '' : ` (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
    const exact = `${day.format(at)}, ${time.format(at)}${left}`;
    const text = ('ago' in shown.dataset && ago(at)) || exact;
    if (text !== exact) shown.title = exact;
    if (shown.textContent !== text) shown.textContent = text;
  }
}

for (const what of ['changed', 'said']) document.addEventListener(`spieltisch:${what}`, show);
setInterval(() => { if (document.querySelector('time[data-left]')) show(); }, 1000);
setInterval(show, 30_000);
show();
