// Times as the clock of whoever reads them shows them; the server knows only UTC.

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'short', timeStyle: 'short' });

function show() {
  for (const time of document.querySelectorAll('time[datetime]')) time.textContent = format.format(new Date(time.dateTime));
}

document.addEventListener('spieltisch:changed', show);
show();
