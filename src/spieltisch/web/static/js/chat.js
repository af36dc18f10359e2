// Talk at the table: it stands beside the log, says how much is new, and what one says goes without leaving the page.

const talk = document.getElementById('talk');
const list = document.getElementById('words');
const notice = document.getElementById('say-notice');
const key = `words ${document.getElementById('live').dataset.table}`;
let seen = 0;

function kept() {
  try {
    return Number(localStorage.getItem(key));
  } catch {
    return seen; // nothing may be stored here
  }
}

function rememberPlayer() {
  const numbers = [...list.querySelectorAll('li:not(.own)')].map((one) => Number(one.dataset.number ?? 0));
  const newest = Math.max(0, ...numbers);
  if (talk.open) {
    seen = newest;
    try {
      localStorage.setItem(key, newest);
    } catch {
      // then it is new again after the next visit
    }
  }
  const many = numbers.filter((number) => number > kept()).length;
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
