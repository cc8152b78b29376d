/** A client behind a proxy: sends CONNECT to each given `host:port` and prints the results: `fetch-through.mjs <host:port>...`. */
import { request } from 'node:http';

const proxy = new URL(process.env.HTTPS_PROXY);
for (const target of process.argv.slice(2)) {
  await new Promise(done => {
    const asked = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target });
    asked.on('connect', (answer, socket) => {
      if (answer.statusCode !== 200) {
        console.log(target, answer.statusCode);
        socket.destroy();
        done();
        return;
      }
      let heard = '';
      socket.write(`GET / HTTP/1.1\r\nHost: ${target}\r\nConnection: close\r\n\r\n`);
      socket.on('data', chunk => {
        heard += chunk;
      });
      socket.on('close', () => {
        console.log(
          target,
          heard.split(' ')[1],
          heard
            .trim()
            .split('\r\n\r\n')
            .at(-1)
            .replace(/^[0-9a-f]+\r\n|\r\n0$/g, ''),
        );
        done();
      });
    });
    asked.on('error', error => {
      console.log(target, error.message);
      done();
    });
    asked.end();
  });
}
