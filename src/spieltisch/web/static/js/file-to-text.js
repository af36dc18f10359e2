// Puts a chosen file into the text field; without a script, the text is pasted there.
for (const field of document.querySelectorAll('[data-into]')) {
  field.hidden = false;
  field.addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    if (file) document.getElementById(field.dataset.into).value = await file.text();
  });
}
