/** The library speaks English only: its own words are replaced as they appear. Text of the document is left alone. */
export function translate(container) {
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "characterData") translateText(target);
      else if (type === "attributes") translateHint(target);
      else for (const node of addedNodes) translateNode(node);
    }
  }).observe(container, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["placeholder"],
  });
}

const WORDS = {
  Authorize: "认证",
  Authorized: "已认证",
  "Available authorizations": "可用的认证方式",
  "(http, Bearer)": "（登录令牌）",
  "Value:": "令牌：",
  Logout: "清除",
  Close: "关闭",
  "Try it out": "试一试",
  Cancel: "取消",
  Reset: "重置",
  Execute: "发送请求",
  Clear: "清除结果",
  LOADING: "请求中",
  "Loading...": "加载中…",
  Parameters: "参数",
  "No parameters": "没有参数",
  Name: "名称",
  Description: "说明",
  "Request body": "请求内容",
  "Request Body": "请求内容",
  "Example Value": "示例",
  "Example value": "示例",
  Examples: "示例",
  "Examples:": "示例：",
  "Example Description": "示例说明",
  Schema: "结构",
  Schemas: "数据结构",
  Responses: "响应",
  Response: "响应",
  Code: "状态码",
  Details: "详情",
  Links: "链接",
  "No links": "无",
  "Media type": "内容类型",
  Controls: "决定",
  Accept: "Accept",
  "header.": "请求头。",
  "Headers:": "响应头：",
  Type: "类型",
  "Server response": "服务器的响应",
  "Response body": "响应内容",
  "Response headers": "响应头",
  "Request URL": "请求网址",
  "Request duration": "用时",
  "Request Duration": "用时",
  "No response body": "没有响应内容",
  Undocumented: "文档中没有",
  Curl: "curl 命令",
  Download: "下载",
  Servers: "服务器",
  "Expand all": "全部展开",
  "Collapse all": "全部收起",
  "Send empty value": "发送空值",
  "Available values": "可选值",
  "Default value": "默认值",
  "Failed to load API definition.": "无法加载接口文档，请刷新重试。",
  "Filter by tag or path": "按分组或路径筛选",
  "Edit Value": "编辑",
  "[Modified value]": "（已修改）",
};

function translateNode(node) {
  if (node.nodeType === Node.TEXT_NODE) return translateText(node);
  if (!(node instanceof Element) || node.closest(FOREIGN) !== null) return;
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) translateText(texts.currentNode);
  for (const field of [node, ...node.querySelectorAll("[placeholder]")]) translateHint(field);
}

/** What the document itself says, and what was sent and received. */
const FOREIGN = ".renderedMarkdown, pre, textarea, code, .property, .prop-name";

function translateText(node) {
  if (node.parentElement?.closest(FOREIGN)) return;
  const text = node.nodeValue.trim();
  const word = WORDS[text];
  if (word !== undefined && word !== text) node.nodeValue = node.nodeValue.replace(text, word);
}

function translateHint(field) {
  const word = WORDS[field.placeholder];
  if (word !== undefined) field.placeholder = word;
}
