// Notes the contents of prompt and log at the root, for the style sheets, because Firefox before 121 has no `:has`. It runs before the
// change is drawn; no push replaces the root.

const STATES = {
  notice: '#notice > *',
  answer: '#notice > :not(.refusal)',
  preview: '#notice .preview',
  chosen: '#prompt .back',
  asked: '#prompt :is(#curtain, .consent)',
  'new-talk': '#talk-new:not(:empty)',
};
const root = document.documentElement;

export function noteStates() {
  const found = Object.keys(STATES).filter((name) => document.querySelector(STATES[name]));
  if (!root.matches('[data-unrolled], [data-keyed]') && !found.includes('answer') && !found.includes('asked')) found.push('folded');
  const states = found.join(' ');
  if (root.dataset.shows !== states) root.dataset.shows = states;
  document.body.classList.toggle('with-free-seats', document.getElementById('live').classList.contains('open'));
}

const changes = new MutationObserver(noteStates);
changes.observe(document.getElementById('main'), { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'open'] });
changes.observe(root, { attributes: true, attributeFilter: ['data-unrolled', 'data-keyed'] });
noteStates();
