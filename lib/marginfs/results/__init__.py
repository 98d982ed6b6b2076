"""What a study found: gathered measures, verdicts, claims, tables, figures and the report."""
