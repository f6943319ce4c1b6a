/*
 * Runs before the tap and times it from outside: the tap takes its intrinsics when it loads, so it takes these. From the
 * moment it begins to decode a chunk to the moment it hands the chunk on is all of its work on that chunk that the page waits
 * for; sending a batch is timed as well.
 */
(() => {
  const chunks = [];
  const sends = [];
  window.stopwatch = { chunks, sends };
  const { now } = performance;
  const clock = performance;
  let begun = -1;
  let size = 0;
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (bytes, options) {
    if (options?.stream && bytes) {
      begun = now.call(clock);
      size = bytes.length;
    }
    return decode.call(this, bytes, options);
  };
  const { enqueue } = ReadableByteStreamController.prototype;
  ReadableByteStreamController.prototype.enqueue = function (bytes) {
    if (begun >= 0) chunks.push([size, now.call(clock) - begun]);
    begun = -1;
    return enqueue.call(this, bytes);
  };
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (message, transfer) {
    const start = now.call(clock);
    postMessage.call(this, message, transfer ?? []);
    sends.push(now.call(clock) - start);
  };
})();
