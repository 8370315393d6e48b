// Browsers start no worker from a file. Search needs one, so for pages opened without a server a hidden
// frame of the page stands in for it: what is posted to it arrives there as an event, and back.
class FrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.appendChild(this.frame);
    const inside = this.frame.contentWindow;
    window.addEventListener("message", (event) => {
      if (event.source === inside) this.dispatchEvent(new MessageEvent("message", {data: event.data}));
    });
    this.loaded = new Promise((done) => this.frame.addEventListener("load", done, {once: true}));
    inside.document.open();
    inside.document.write(
      "<body><script>postMessage = (data) => parent.postMessage(data, '*');</" + "script>" +
      `<script src="${url}"></` + "script></body>");
    inside.document.close();
  }
  postMessage(data) {
    this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})));
  }
  terminate() { this.frame.remove(); }
}
if (location.protocol === "file:") window.Worker = window.IFrameWorker = FrameWorker;
