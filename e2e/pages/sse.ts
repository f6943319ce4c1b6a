/** For pages that read a stream by hand: the JSON of each server-sent event, until the body ends. Sentinels are left out. */
export async function* eventsOf(response: Response): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let left = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = (left + value).split('\n\n');
      left = frames.pop()!;
      for (const frame of frames) {
        const data = /^data: (.*)$/mu.exec(frame)?.[1];
        if (data !== undefined && data !== '[DONE]') yield JSON.parse(data);
      }
    }
  } finally {
    // Whoever leaves early cuts the body.
    void reader.cancel();
  }
}
