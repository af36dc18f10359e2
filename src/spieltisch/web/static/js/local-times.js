// Times as the clock of whoever reads them shows them; the server knows only UTC. Where every second counts, what is left
// stands beside them.

const format = new Intl.DateTimeFormat(document.documentElement.lang, { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' });

function show() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    const seconds = 'left' in time.dataset ? Math.max(0, Math.round((at - Date.now()) / 1000)) : null;
    const left = seconds === null ? '' : ` (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
    const text = format.format(at) + left;
    if (time.textContent !== text) time.textContent = text;
  }
}

for (const what of ['changed', 'said']) document.addEventListener(`spieltisch:${what}`, show);
setInterval(() => { if (document.querySelector('time[data-left]')) show(); }, 1000);
show();
