// What the prompt and the story contain, noted at the root for the style sheets: Firefox before 121 has no `:has`. It is noted before
// the change is drawn, and no push replaces the root.

const STATES = {
  notice: '#notice > *',
  told: '#notice > :not(.refusal)',
  preview: '#notice .preview',
  chosen: '#prompt .back',
  asked: '#prompt :is(#curtain, .consent)',
  log: '#story #talk:not([open])',
  talk: '#story #talk[open]',
  'new-talk': '#talk-new:not(:empty)',
};
const root = document.documentElement;

function noteStates() {
  const found = Object.keys(STATES).filter((name) => document.querySelector(STATES[name]));
  if (!root.matches('[data-unrolled], [data-keyed]') && !found.includes('told') && !found.includes('asked')) found.push('folded');
  const states = found.join(' ');
  if (root.dataset.shows !== states) root.dataset.shows = states;
  document.body.classList.toggle('with-free-seats', document.getElementById('live').classList.contains('open'));
}

const changes = new MutationObserver(noteStates);
changes.observe(document.getElementById('main'), { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'open'] });
changes.observe(root, { attributes: true, attributeFilter: ['data-unrolled', 'data-keyed'] });
noteStates();
