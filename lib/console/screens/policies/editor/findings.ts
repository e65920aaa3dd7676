import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ruleOfPointer } from '../document/pointer.ts';
import type { Document } from '../document/document.ts';
import { rulesOf, textOf } from '../document/document.ts';
import type { Finding } from './portuguese-finding.ts';

/** A finding of a rule: its path begins at the rule, so it stays where the rules move. */
export type PlacedFinding = Finding & { readonly rule?: string; readonly within: string };

/** Gives each finding its rule. Findings name rules by their index in the saved document. */
export const placeFindings = (findings: readonly Finding[], checked: Document): readonly PlacedFinding[] => {
  const rules = rulesOf(checked);
  return findings.map((finding) => {
    const place = ruleOfPointer(finding.path);
    const rule = place === undefined ? undefined : textOf(rules[place.index]?.['id']);
    return rule === undefined || place === undefined
      ? { ...finding, within: finding.path }
      : { ...finding, rule, within: place.path };
  });
};

const RuleFindings = createContext<readonly PlacedFinding[]>([]);

export const RuleFindingsProvider = RuleFindings.Provider;

/** The findings of the rule at a path within it. */
export const useFindingsAt = (path: string): readonly PlacedFinding[] =>
  useContext(RuleFindings).filter(({ within }) => within === path || within.startsWith(`${path}/`));
