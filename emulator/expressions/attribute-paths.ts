import type { Expression, Operand, Path } from "./expression.js";

/** All paths in the expression, in the order in which they appear. */
export function attributePaths(expression: Expression): readonly Path[] {
  const paths: Path[] = [];
  const visitOperand = (operand: Operand) => {
    if (operand.kind === "path" || operand.kind === "size") paths.push(operand.path);
  };
  const visit = (part: Expression): void => {
    switch (part.kind) {
      case "and":
      case "or":
        part.terms.forEach(visit);
        return;
      case "not":
        visit(part.term);
        return;
      case "compare":
        [part.left, part.right].forEach(visitOperand);
        return;
      case "between":
        [part.operand, part.low, part.high].forEach(visitOperand);
        return;
      case "in":
        [part.operand, ...part.choices].forEach(visitOperand);
        return;
      case "begins_with":
        [part.operand, part.prefix].forEach(visitOperand);
        return;
      case "contains":
        [part.operand, part.element].forEach(visitOperand);
        return;
      case "attribute_exists":
      case "attribute_not_exists":
        paths.push(part.path);
    }
  };
  visit(expression);
  return paths;
}
