// Plain JavaScript of 2019: a Node that is too old must be able to read it.
import { existsSync } from "node:fs";

const MAJOR = 24;
const version = process.versions.node;

if (!existsSync(new URL("../node_modules", import.meta.url)))
  fail("尚未安装依赖：请先运行 npm ci。");
if (Number(version.split(".")[0]) < MAJOR) {
  fail(
    `需要 Node.js ${MAJOR} 或更高版本，当前是 ${version}：请安装 Node.js ${MAJOR}（https://nodejs.org），或重新运行 npm ci。`,
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
