// Times in the reader's time zone; the server knows only UTC. Where seconds matter, the remaining time is shown, instead
// of the date if it is less than half a day; where only the age matters (`data-relative-time`), times of the last week
// are relative; of a beginning (`data-since`) within half a day only the time of day. Each has the exact time as title.

const [dateFormat, timeFormat] = [{ day: 'numeric', month: 'short', year: 'numeric' }, { timeStyle: 'short' }]
  .map((options) => new Intl.DateTimeFormat(document.documentElement.lang, options));

const ageFormat = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });
const UNITS_WITH_SECONDS = Object.entries({ day: 86400, hour: 3600, minute: 60 });

/** Return the time since then, such as "3 minutes ago"; nothing if that is more than a week. */
function formatRelativeTime(date) {
  const seconds = Math.max(0, (Date.now() - date) / 1000);
  if (seconds > 7 * 86400) return null;
  const [unit, unitSeconds] = UNITS_WITH_SECONDS.find(([, sizeInSeconds]) => seconds >= sizeInSeconds) ?? ['second', Infinity];
  return ageFormat.format(-Math.floor(seconds / unitSeconds), unit);
}

function showTimes() {
  for (const element of document.querySelectorAll('time[datetime]')) {
    const date = new Date(element.dateTime);
    const seconds = 'remainingTime' in element.dataset ? Math.max(0, Math.round((date - Date.now()) / 1000)) : null;
    const remainingText = seconds === null ? '' : ` (${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')})`;
    const exactText = `${dateFormat.format(date)}, ${timeFormat.format(date)}${remainingText}`;
    const isNear = seconds !== null ? seconds < 43200 : 'since' in element.dataset && Date.now() - date < 43200_000;
    const shortText = isNear && `${timeFormat.format(date)}${remainingText}`;
    const text = shortText || ('relativeTime' in element.dataset && formatRelativeTime(date)) || exactText;
    if (text !== exactText) element.title = exactText;
    if (element.textContent !== text) element.textContent = text;
  }
}

for (const eventName of ['page-updated', 'chat-updated']) document.addEventListener(`spieltisch:${eventName}`, showTimes);
document.addEventListener('spieltisch:fragment-updated', showTimes, true); // it does not bubble
setInterval(() => { if (document.querySelector('time[data-remaining-time]')) showTimes(); }, 1000);
setInterval(showTimes, 30_000);
showTimes();
