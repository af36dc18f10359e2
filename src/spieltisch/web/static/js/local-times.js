// Times as the clock of whoever reads them shows them; the server knows only UTC. Where every second counts, what is left
// stands beside them.

const [day, time] = [{ day: 'numeric', month: 'short', year: 'numeric' }, { timeStyle: 'short' }]
  .map((parts) => new Intl.DateTimeFormat(document.documentElement.lang, parts));

function show() {
  for (const shown of document.querySelectorAll('time[datetime]')) {
    const at = new Date(shown.dateTime);
    const seconds = 'left' in shown.dataset ? Math.max(0, Math.round((at - Date.now()) / 1000)) : null;
    const left = seconds === null ? '' : ` (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
    const text = `${day.format(at)}, ${time.format(at)}${left}`;
    if (shown.textContent !== text) shown.textContent = text;
  }
}

for (const what of ['changed', 'said']) document.addEventListener(`spieltisch:${what}`, show);
setInterval(() => { if (document.querySelector('time[data-left]')) show(); }, 1000);
show();
