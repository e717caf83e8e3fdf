import { admit } from '../src/resources/admission.ts'
import { type FieldProblem, InvalidObjectError } from '../src/resources/field-reader.ts'
import type { KubeObject } from '../src/resources/object.ts'

/** The fields that admission refuses of an object. */
export function problemsOf(input: unknown, existing?: KubeObject): readonly FieldProblem[] {
  try {
    admit(input, existing)
    return []
  } catch (error) {
    if (error instanceof InvalidObjectError) return error.problems
    throw error
  }
}
