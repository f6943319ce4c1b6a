// Runs the scenario that its query names as soon as it is loaded, and shows what was committed.
(async () => {
  const response = await fetch(`/api/agent/stream${location.search}`, { method: 'POST', body: '{"message":"go"}' });
  const text = await response.text();
  const last = JSON.parse(text.trim().split('\ndata: ').pop());
  document.getElementById('answer').textContent = last.payload.result.assistantText;
})();
