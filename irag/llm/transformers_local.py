"""transformers in this process: batched writing, a kept prompt prefix, grammars for schemas."""
