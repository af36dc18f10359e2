// Talk at the table: it stands beside the log, says how much is new, and what one says goes without leaving the page.

const talk = document.getElementById('talk');
const list = document.getElementById('words');
const notice = document.getElementById('say-notice');
const key = `words ${document.getElementById('live').dataset.table}`;
let seen = {}; // the number of the newest message in each room

function kept() {
  try {
    return Object(JSON.parse(localStorage.getItem(key)));
  } catch {
    return seen; // nothing may be stored here
  }
}

function rememberPlayer() {
  const messages = [...list.querySelectorAll('li:not(.own)[data-room]')].map(({ dataset }) => dataset);
  if (talk.open) {
    seen = { ...kept() };
    for (const { room, number } of messages) seen[room] = Math.max(seen[room] ?? 0, number);
    try {
      localStorage.setItem(key, JSON.stringify(seen));
    } catch {
      // then it is new again after the next visit
    }
  }
  const known = kept();
  const many = messages.filter(({ room, number }) => number > (known[room] ?? 0)).length;
  document.getElementById('talk-new').textContent = many ? `(${many})` : '';
  document.dispatchEvent(new CustomEvent('spieltisch:said'));
  if (talk.open) list.scrollTop = list.scrollHeight;
}

async function send(event) {
  event.preventDefault();
  const { target: form, submitter } = event;
  try {
    const answer = await fetch(submitter?.getAttribute('formaction') ?? form.action, {
      method: 'POST', body: new URLSearchParams(new FormData(form)), headers: { 'HX-Request': 'true' },
    });
    notice.innerHTML = await answer.text();
    if (answer.ok && form.elements.text) form.elements.text.value = '';
  } catch {
    document.dispatchEvent(new CustomEvent('htmx:error'));
  }
}

document.getElementById('talk-place')?.append(talk);
for (const id of ['say', 'deed']) document.getElementById(id)?.addEventListener('submit', send);
document.addEventListener('spieltisch:words', rememberPlayer);
talk.addEventListener('toggle', rememberPlayer);
rememberPlayer();
