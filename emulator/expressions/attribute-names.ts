import type { Expression, Operand } from "./expression.js";

/** The first names of all paths in the expression: nothing else of a subject can make a difference to it. */
export function attributeNames(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visitOperand = (operand: Operand) => {
    if (operand.kind === "path" || operand.kind === "size") names.add(operand.path[0]);
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
        names.add(part.path[0]);
    }
  };
  visit(expression);
  return names;
}
