/**
 * What the columns of a file of users are called. An export has all that its reader sees; an import
 * reads the first six and ignores the others, so that what was exported can be imported.
 */
export const USER_COLUMN_HEADERS = {
  username: "用户名",
  name: "姓名",
  role: "角色",
  email: "邮箱",
  phone: "手机号",
  /** The username of the responsible admin. */
  admin: "负责管理员",
  isActive: "状态",
  secondFactorEnabled: "两步验证",
  hostCount: "主机数",
  nextEnd: "下次到期",
  createdAt: "创建时间",
  note: "内部备注",
} as const;
