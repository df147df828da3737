/** What a browser lacks of Node.js and the mock's choice of answers uses; the bundler puts it in. */
export { Buffer } from "buffer/";
