// Notes the contents of prompt and log at the root, for the style sheets, because Firefox before 121 has no `:has`. It runs before the
// change is drawn; no push replaces the root.

const STATE_SELECTORS = {
  notice: '#notice > *',
  answer: '#notice > :not(.refusal)',
  preview: '#notice .confirm-notice',
  confirm: '#notice .confirm-notice > #preview-title',
  chosen: '#prompt .undo-step',
  asked: '#prompt :is(#handoff-screen, .consent)',
  'new-chat': '#unread-chat-count:not(:empty)',
};
const root = document.documentElement;

export function updateStates() {
  const activeStateNames = Object.keys(STATE_SELECTORS).filter((name) => document.querySelector(STATE_SELECTORS[name]));
  if (!root.matches('[data-is-prompt-expanded], [data-is-keyboard-used]') && !activeStateNames.includes('answer') && !activeStateNames.includes('asked')) activeStateNames.push('folded');
  const stateNames = activeStateNames.join(' ');
  if (root.dataset.promptStates !== stateNames) root.dataset.promptStates = stateNames;
  document.body.classList.toggle('has-free-seats', document.getElementById('live-part').classList.contains('status-open'));
}

const observer = new MutationObserver(updateStates);
observer.observe(document.getElementById('main'), { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'open'] });
observer.observe(root, { attributes: true, attributeFilter: ['data-is-prompt-expanded', 'data-is-keyboard-used'] });
updateStates();
