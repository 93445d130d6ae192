// Printed from the table of operations; a test holds the file to it.

/** Loads a checkpoint, or one of its revisions; null where it does not exist. @type {Record<string, any>} */
export const load = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "revision": {
        "type": "integer",
        "description": "Its content at this revision."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "anyOf": [
      {
        "type": "object",
        "properties": {
          "text": {
            "type": "string",
            "description": "The document as JSON text, exactly as it is stored."
          },
          "revision": {
            "type": "integer",
            "description": "The revision that is stored now."
          },
          "seal": {
            "type": "string",
            "description": "Its seal: with the revision, the base of a compare-and-swap."
          }
        },
        "required": [
          "text",
          "revision",
          "seal"
        ]
      },
      {
        "type": "null"
      }
    ]
  }
};

/** Begins a command with the phases of its plan, as one revision; phases that it has stay as they are. @type {Record<string, any>} */
export const begin = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "phases": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The phases to do, in order; at least one."
      },
      "task": {
        "type": "string",
        "description": "The task that is being worked on from now on, such as T002."
      },
      "existing": {
        "type": "boolean",
        "description": "True to change only what is there: a run or a phase that is not is `not_found`."
      }
    },
    "required": [
      "command",
      "phases"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "revision": {
        "type": "integer",
        "description": "The revision that is stored now."
      },
      "seal": {
        "type": "string",
        "description": "Its seal: with the revision, the base of a compare-and-swap."
      },
      "changed": {
        "type": "boolean",
        "description": "True if the document differs from the one stored before."
      },
      "created": {
        "type": "boolean",
        "description": "True if a run or a phase was made that was not there."
      },
      "new_run": {
        "type": "boolean",
        "description": "True if there was no such run before."
      },
      "new_phases": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The phases that the run did not have."
      },
      "reopened": {
        "type": "boolean",
        "description": "True if the run was complete, and is open again."
      },
      "phase": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The phase to go on with; null where there is nothing to do."
      },
      "phase_summary": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The context summary of that phase itself, if it has one."
      },
      "summary": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The context summary of the last completed phase that has one."
      },
      "alongside": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The other phases in progress."
      }
    },
    "required": [
      "revision",
      "seal",
      "changed",
      "created",
      "new_run",
      "new_phases",
      "reopened",
      "phase",
      "phase_summary",
      "summary",
      "alongside"
    ]
  }
};

/** Changes one phase, and the state with it; creates a missing checkpoint. @type {Record<string, any>} */
export const update_phase = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "phase": {
        "type": "string",
        "description": "The phase's name."
      },
      "patch": {
        "type": "object",
        "description": "Fields of the phase: those that are given replace, and null removes."
      },
      "task": {
        "type": "string",
        "description": "The task that is being worked on from now on, such as T002."
      },
      "add": {
        "type": "object",
        "properties": {
          "files_created": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "Files that it created."
          },
          "files_modified": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "Files that it modified."
          }
        },
        "description": "Items for lists of the phase, which keep what they have."
      },
      "existing": {
        "type": "boolean",
        "description": "True to change only what is there: a run or a phase that is not is `not_found`."
      }
    },
    "required": [
      "command",
      "phase",
      "patch"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "revision": {
        "type": "integer",
        "description": "The revision that is stored now."
      },
      "seal": {
        "type": "string",
        "description": "Its seal: with the revision, the base of a compare-and-swap."
      },
      "merged": {
        "type": "boolean",
        "description": "True if another writer's change was merged in."
      },
      "changed": {
        "type": "boolean",
        "description": "True if the document differs from the one stored before."
      },
      "created": {
        "type": "boolean",
        "description": "True if a run or a phase was made that was not there."
      },
      "new_run": {
        "type": "boolean",
        "description": "True if there was no such run before."
      },
      "new_phases": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The phases that the run did not have."
      },
      "reopened": {
        "type": "boolean",
        "description": "True if the run was complete, and is open again."
      }
    },
    "required": [
      "revision",
      "seal",
      "merged",
      "changed",
      "created",
      "new_run",
      "new_phases",
      "reopened"
    ]
  }
};

/** Takes back a phase that was added by mistake; its history stays, and an undo brings it back. @type {Record<string, any>} */
export const remove_phase = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "phase": {
        "type": "string",
        "description": "The phase's name."
      }
    },
    "required": [
      "command",
      "phase"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "revision": {
        "type": "integer",
        "description": "The revision that is stored now."
      },
      "seal": {
        "type": "string",
        "description": "Its seal: with the revision, the base of a compare-and-swap."
      },
      "merged": {
        "type": "boolean",
        "description": "True if another writer's change was merged in."
      },
      "changed": {
        "type": "boolean",
        "description": "True if the document differs from the one stored before."
      }
    },
    "required": [
      "revision",
      "seal",
      "merged",
      "changed"
    ]
  }
};

/** Marks a checkpoint as complete, unless phases are still to be done; completing again changes nothing. @type {Record<string, any>} */
export const complete = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "force": {
        "type": "boolean",
        "description": "Complete it all the same: phases that are still to be done are skipped."
      },
      "keep_open": {
        "type": "boolean",
        "description": "Complete it all the same: such phases stay as they are, and a warning names them."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "revision": {
        "type": "integer",
        "description": "The revision that is stored now."
      },
      "seal": {
        "type": "string",
        "description": "Its seal: with the revision, the base of a compare-and-swap."
      },
      "merged": {
        "type": "boolean",
        "description": "True if another writer's change was merged in."
      },
      "changed": {
        "type": "boolean",
        "description": "True if the document differs from the one stored before."
      }
    },
    "required": [
      "revision",
      "seal",
      "merged",
      "changed"
    ]
  }
};

/** The unfinished checkpoint that was updated last, of those that have something to do if there is one; null where nothing is unfinished. @type {Record<string, any>} */
export const latest = {
  "arguments": {
    "type": "object",
    "properties": {}
  },
  "answer": {
    "anyOf": [
      {
        "type": "object",
        "properties": {
          "command": {
            "type": "string",
            "description": "Its command."
          },
          "feature": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Its feature, if it has one."
          },
          "phase": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The phase to go on with; null where there is nothing to do."
          },
          "phase_summary": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The context summary of that phase itself, if it has one."
          },
          "summary": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The context summary of the last completed phase that has one."
          },
          "alongside": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "The other phases in progress."
          },
          "others": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "command": {
                  "type": "string",
                  "description": "Its command."
                },
                "feature": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Its feature, if it has one."
                }
              },
              "required": [
                "command",
                "feature"
              ]
            },
            "description": "The other unfinished checkpoints."
          }
        },
        "required": [
          "command",
          "feature",
          "phase",
          "phase_summary",
          "summary",
          "alongside",
          "others"
        ]
      },
      {
        "type": "null"
      }
    ]
  }
};

/** All checkpoints, sorted by command and feature. @type {Record<string, any>} */
export const list = {
  "arguments": {
    "type": "object",
    "properties": {}
  },
  "answer": {
    "type": "array",
    "items": {
      "type": "object",
      "properties": {
        "command": {
          "type": "string",
          "description": "Its command."
        },
        "feature": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "Its feature, if it has one."
        },
        "complete": {
          "type": "boolean",
          "description": "True if its run is complete."
        },
        "has_work": {
          "type": "boolean",
          "description": "True if there is something to do: a phase, or a plan without phases."
        },
        "done": {
          "type": "integer",
          "description": "The number of phases that are done: complete or skipped."
        },
        "total": {
          "type": "integer",
          "description": "The number of phases."
        },
        "current_phase": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The phase to resume, if it is in progress or has failed."
        },
        "completed": {
          "type": "integer",
          "description": "The number of phases that are complete."
        },
        "in_progress": {
          "type": "integer",
          "description": "The number of phases in progress."
        },
        "failed": {
          "type": "integer",
          "description": "The number of phases that have failed, and are to be retried."
        },
        "pending": {
          "type": "integer",
          "description": "The number of phases that are not yet begun."
        },
        "skipped": {
          "type": "integer",
          "description": "The number of phases that were left out on purpose."
        },
        "updated_at": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The time at which it was last saved."
        },
        "completed_at": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The time at which it was completed."
        },
        "revision": {
          "type": "integer",
          "description": "Its revision; 0 where it cannot be read."
        },
        "branch": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The branch that hooks recorded, null for a detached HEAD; absent where none was recorded."
        },
        "problem": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "Why it cannot be read, if it cannot."
        },
        "edited_by_hand": {
          "anyOf": [
            {
              "type": "boolean"
            },
            {
              "type": "null"
            }
          ],
          "description": "True if it was changed by hand since it was last saved; absent otherwise."
        },
        "deleted": {
          "anyOf": [
            {
              "type": "boolean"
            },
            {
              "type": "null"
            }
          ],
          "description": "True if its file was deleted and its history is kept, so that it can be recovered; absent otherwise."
        }
      },
      "required": [
        "command",
        "feature",
        "complete",
        "has_work",
        "done",
        "total",
        "current_phase",
        "completed",
        "in_progress",
        "failed",
        "pending",
        "skipped",
        "updated_at",
        "completed_at",
        "revision",
        "problem"
      ]
    }
  }
};

/** Tells whether the work may be shipped; with `open` or `close`, sets that first. @type {Record<string, any>} */
export const gate = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "open": {
        "type": "boolean",
        "description": "Open it, at the present commit."
      },
      "close": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Why it is to be closed, at the present commit."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "open": {
        "type": "boolean",
        "description": "True if nothing stands in the way."
      },
      "blockers": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The reasons that stand in the way."
      },
      "head_commit": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The commit that it holds for; null where none was recorded, so that it holds for all."
      }
    },
    "required": [
      "open",
      "blockers",
      "head_commit"
    ]
  }
};

/** The revisions of a checkpoint that are kept, the newest first. @type {Record<string, any>} */
export const log = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "type": "array",
    "items": {
      "type": "object",
      "properties": {
        "revision": {
          "type": "integer",
          "description": "The revision."
        },
        "updated_at": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The time at which it was saved."
        },
        "changes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "The changes, a line each."
        },
        "compared_with": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The revision that the changes start from: the nearest one before it that can be read."
        },
        "patch": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "op": {
                "type": "string",
                "enum": [
                  "add",
                  "remove",
                  "replace"
                ],
                "description": "The operation."
              },
              "path": {
                "type": "string",
                "description": "JSON pointer to the place."
              },
              "value": {
                "anyOf": [
                  {},
                  {
                    "type": "null"
                  }
                ],
                "description": "The new value."
              }
            },
            "required": [
              "op",
              "path"
            ]
          },
          "description": "The changes as a JSON Patch (RFC 6902) of that revision; empty without one."
        },
        "same_as": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The earlier revision, not the one before it, with the same content."
        },
        "heartbeats": {
          "type": "integer",
          "description": "So many revisions after this one only renewed the time, and are left out."
        },
        "altered": {
          "type": "boolean",
          "description": "True if its bytes are not the ones that were saved."
        },
        "problem": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "Why it cannot be read, if it cannot: altered, or no file, for example."
        }
      },
      "required": [
        "revision",
        "updated_at",
        "changes",
        "compared_with",
        "patch",
        "same_as",
        "heartbeats",
        "altered",
        "problem"
      ]
    }
  }
};

/** The difference between two revisions; by default, of the newest one. @type {Record<string, any>} */
export const diff = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "from": {
        "type": "integer",
        "description": "The older one; without it, the nearest one before `to` that can be read."
      },
      "to": {
        "type": "integer",
        "description": "The newer one; without it, the present one."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "from": {
        "type": "integer",
        "description": "The older revision."
      },
      "to": {
        "type": "integer",
        "description": "The newer revision."
      },
      "changes": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The changes, a line each."
      },
      "patch": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "op": {
              "type": "string",
              "enum": [
                "add",
                "remove",
                "replace"
              ],
              "description": "The operation."
            },
            "path": {
              "type": "string",
              "description": "JSON pointer to the place."
            },
            "value": {
              "anyOf": [
                {},
                {
                  "type": "null"
                }
              ],
              "description": "The new value."
            }
          },
          "required": [
            "op",
            "path"
          ]
        },
        "description": "The changes as a JSON Patch (RFC 6902)."
      }
    },
    "required": [
      "from",
      "to",
      "changes",
      "patch"
    ]
  }
};

/** Writes the content of an earlier revision as the next one; again, of the one before that. @type {Record<string, any>} */
export const undo = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "The command, such as `design`."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "to": {
        "type": "integer",
        "description": "The revision to go back to; without it, the newest good one before the present one, or before the one that the present one restores."
      },
      "revision": {
        "type": "integer",
        "description": "The revision that was seen; without it, the present one."
      },
      "seal": {
        "type": "string",
        "description": "The seal of the revision that was seen."
      }
    },
    "required": [
      "command"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "revision": {
        "type": "integer",
        "description": "The revision that is stored now."
      },
      "seal": {
        "type": "string",
        "description": "Its seal: with the revision, the base of a compare-and-swap."
      },
      "restored": {
        "type": "integer",
        "description": "The revision that it has the content of."
      },
      "changed": {
        "type": "boolean",
        "description": "True if something was written."
      }
    },
    "required": [
      "revision",
      "seal",
      "restored",
      "changed"
    ]
  }
};

/** Makes a snapshot of the current run and the given content. @type {Record<string, any>} */
export const create_session = {
  "arguments": {
    "type": "object",
    "properties": {
      "reason": {
        "type": "string",
        "description": "`phase_complete`, `handoff`, `error`, `mode_switch` or `user_requested`."
      },
      "message": {
        "type": "string",
        "description": "The remarks of its maker."
      },
      "given": {
        "type": "object",
        "description": "Fields of the document, which stand in place of what would be filled in."
      },
      "command": {
        "type": "string",
        "description": "The command whose run is captured; by default that of the run updated last."
      },
      "feature": {
        "type": "string",
        "description": "The feature, if the checkpoint belongs to one."
      },
      "files": {
        "type": "boolean",
        "description": "Keep the files that differ from HEAD; they are kept, unless this is false."
      },
      "allow": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Paths of files that are kept though they look like files of secrets or are large."
      }
    },
    "required": [
      "reason"
    ]
  },
  "answer": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "Its id."
      },
      "path": {
        "type": "string",
        "description": "Its file, relative to the root."
      },
      "redacted": {
        "type": "integer",
        "description": "The number of texts that had secrets in them, which were taken out."
      },
      "summary_left_out": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The part of the context that had no room in its summary."
      },
      "files": {
        "anyOf": [
          {
            "type": "integer"
          },
          {
            "type": "null"
          }
        ],
        "description": "The number of paths in its snapshot; null without one."
      },
      "left_out": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "path": {
              "type": "string",
              "description": "Relative to the root."
            },
            "reason": {
              "type": "string",
              "description": "Why, as it goes on after the path."
            }
          },
          "required": [
            "path",
            "reason"
          ]
        },
        "description": "The paths that differed from HEAD, or may have, and are not kept."
      },
      "removed": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "The ids of older ones that were removed, as the settings say."
      },
      "command": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The command of the run that it was made of; null where there was none."
      },
      "feature": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The feature of that run, if it has one."
      },
      "others": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "command": {
              "type": "string",
              "description": "Its command."
            },
            "feature": {
              "anyOf": [
                {
                  "type": "string"
                },
                {
                  "type": "null"
                }
              ],
              "description": "Its feature, if it has one."
            }
          },
          "required": [
            "command",
            "feature"
          ]
        },
        "description": "The other unfinished runs, where none was named."
      }
    },
    "required": [
      "id",
      "path",
      "redacted",
      "summary_left_out",
      "files",
      "left_out",
      "removed",
      "command",
      "feature",
      "others"
    ]
  }
};

/** All snapshots, the newest first. @type {Record<string, any>} */
export const list_sessions = {
  "arguments": {
    "type": "object",
    "properties": {
      "archived": {
        "type": "boolean",
        "description": "Also the archived ones."
      },
      "limit": {
        "type": "integer",
        "description": "At most so many, the newest."
      }
    }
  },
  "answer": {
    "type": "array",
    "items": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "description": "Its id."
        },
        "created_at": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The time at which it was made."
        },
        "reason": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The occasion."
        },
        "message": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The remarks of its maker."
        },
        "task": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "The task's id."
        },
        "current_phase": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The number of completed phases, and one more where one is in progress."
        },
        "total_phases": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The number of phases."
        },
        "pinned": {
          "type": "boolean",
          "description": "True if it is never removed."
        },
        "archived": {
          "type": "boolean",
          "description": "True if the work that it belongs to is complete."
        },
        "problem": {
          "anyOf": [
            {
              "type": "string"
            },
            {
              "type": "null"
            }
          ],
          "description": "Why it cannot be read, if it cannot."
        }
      },
      "required": [
        "id",
        "created_at",
        "reason",
        "message",
        "task",
        "current_phase",
        "total_phases",
        "pinned",
        "archived",
        "problem"
      ]
    }
  }
};

/** Compares the worktree with a snapshot. @type {Record<string, any>} */
export const verify_session = {
  "arguments": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "The checkpoint of this id."
      },
      "latest": {
        "type": "boolean",
        "description": "The newest snapshot, except archived ones and those a restore made."
      }
    }
  },
  "answer": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "Its id."
      },
      "matches": {
        "type": "boolean",
        "description": "True if the commit and every file are the same."
      },
      "head_moved": {
        "type": "boolean",
        "description": "True if another commit is checked out."
      },
      "recorded_head": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The commit that was checked out, if there was one."
      },
      "present_head": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The commit that is checked out, if there is one."
      },
      "files": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "path": {
              "type": "string",
              "description": "Relative to the root."
            },
            "answer": {
              "type": "string",
              "enum": [
                "same",
                "changed",
                "missing",
                "unexpected"
              ],
              "description": "The comparison with what was recorded."
            }
          },
          "required": [
            "path",
            "answer"
          ]
        },
        "description": "Every path that is recorded or differs from HEAD, sorted."
      },
      "has_snapshot": {
        "type": "boolean",
        "description": "True if files were kept with it; without them only the commit is compared."
      }
    },
    "required": [
      "id",
      "matches",
      "head_moved",
      "recorded_head",
      "present_head",
      "files",
      "has_snapshot"
    ]
  }
};

/** Returns the content of a snapshot to carry on from; with `files`, restores its files. @type {Record<string, any>} */
export const restore_session = {
  "arguments": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "The checkpoint of this id."
      },
      "latest": {
        "type": "boolean",
        "description": "The newest snapshot, except archived ones and those a restore made."
      },
      "files": {
        "type": "boolean",
        "description": "Bring the files back; without it nothing is written."
      },
      "dry_run": {
        "type": "boolean",
        "description": "Only makes the plan."
      },
      "plan": {
        "type": "string",
        "description": "Carry out only the plan with this id."
      },
      "lose": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Paths whose present content may be lost for good."
      },
      "force": {
        "type": "boolean",
        "description": "Allow any present content to be lost, and another commit to be checked out."
      },
      "state": {
        "type": "boolean",
        "description": "Restore the run as well; true by default."
      }
    }
  },
  "answer": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "Its id."
      },
      "resume": {
        "type": "string",
        "description": "The next steps, decisions, files and summary, as a text that is marked as data."
      },
      "can_resume": {
        "type": "boolean",
        "description": "True if anything is left to do."
      },
      "plan": {
        "anyOf": [
          {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "description": "Stands for this very plan, so that it can be asked for."
              },
              "changes": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "path": {
                      "type": "string",
                      "description": "Relative to the root."
                    },
                    "act": {
                      "type": "string",
                      "enum": [
                        "write",
                        "delete",
                        "set_mode"
                      ],
                      "description": "The change: the content is written, the file deleted, or only the mode of a file or folder set."
                    },
                    "answer": {
                      "type": "string",
                      "description": "The comparison with what was recorded: `changed`, `missing`, `unexpected`."
                    }
                  },
                  "required": [
                    "path",
                    "act",
                    "answer"
                  ]
                },
                "description": "Every path that is touched, sorted."
              },
              "left": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "path": {
                      "type": "string",
                      "description": "Relative to the root."
                    },
                    "reason": {
                      "type": "string",
                      "description": "Why, as it goes on after the path."
                    }
                  },
                  "required": [
                    "path",
                    "reason"
                  ]
                },
                "description": "Paths that differ and cannot be restored."
              },
              "refusals": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "description": "Why it is not done; where there is a reason, nothing is touched."
              },
              "state": {
                "anyOf": [
                  {
                    "type": "string"
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "The run that is restored, as a new revision."
              },
              "run": {
                "anyOf": [
                  {
                    "type": "object",
                    "properties": {
                      "revision": {
                        "anyOf": [
                          {
                            "type": "integer"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "The revision whose content comes back; null where the snapshot does not say it."
                      },
                      "present": {
                        "anyOf": [
                          {
                            "type": "integer"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "The present revision; null where the run does not exist."
                      },
                      "phases": {
                        "type": "array",
                        "items": {
                          "type": "string"
                        },
                        "description": "The changes of the phases, a line each."
                      }
                    },
                    "required": [
                      "revision",
                      "present",
                      "phases"
                    ]
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "The revision that the run goes back to; null where no run is restored."
              }
            },
            "required": [
              "id",
              "changes",
              "left",
              "refusals",
              "state",
              "run"
            ]
          },
          {
            "type": "null"
          }
        ],
        "description": "The paths that would be touched, or were; null where no files were asked for."
      },
      "restored": {
        "type": "boolean",
        "description": "True if every file of the plan was restored."
      },
      "undo": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The checkpoint that brings back what was there; null where nothing was touched."
      }
    },
    "required": [
      "id",
      "resume",
      "can_resume",
      "plan",
      "restored",
      "undo"
    ]
  }
};

/** The prompts on this branch before which the files were kept, the newest first. @type {Record<string, any>} */
export const list_prompts = {
  "arguments": {
    "type": "object",
    "properties": {
      "limit": {
        "type": "integer",
        "description": "At most so many, the newest."
      }
    }
  },
  "answer": {
    "type": "array",
    "items": {
      "type": "object",
      "properties": {
        "number": {
          "type": "integer",
          "description": "Its place in the list: 1 for the newest."
        },
        "id": {
          "type": "string",
          "description": "The id of the snapshot."
        },
        "created_at": {
          "type": "string",
          "description": "The time."
        },
        "agent": {
          "type": "string",
          "description": "The agent."
        },
        "session": {
          "type": "string",
          "description": "The session of the agent."
        },
        "prompt": {
          "type": "string",
          "description": "Its first 200 characters, without secrets."
        },
        "complete": {
          "type": "boolean",
          "description": "True if the files can go back to it."
        },
        "created": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The number of files that were created since; null where another commit is checked out."
        },
        "changed": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The number of files that were changed since."
        },
        "deleted": {
          "anyOf": [
            {
              "type": "integer"
            },
            {
              "type": "null"
            }
          ],
          "description": "The number of files that were deleted since."
        }
      },
      "required": [
        "number",
        "id",
        "created_at",
        "agent",
        "session",
        "prompt",
        "complete",
        "created",
        "changed",
        "deleted"
      ]
    }
  }
};

/** Takes back what an agent changed since a prompt, in the worktree alone. @type {Record<string, any>} */
export const rewind = {
  "arguments": {
    "type": "object",
    "properties": {
      "to": {
        "type": "string",
        "description": "The prompt: its number in the list of prompts, its id, or a part of its text."
      },
      "undo": {
        "type": "boolean",
        "description": "Take back the last rewind instead; done again, it is done again."
      },
      "files": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Only these files and folders."
      },
      "all": {
        "type": "boolean",
        "description": "Also what other sessions changed since."
      },
      "lose": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Files and folders that are taken back regardless of who changed them."
      },
      "dry_run": {
        "type": "boolean",
        "description": "Only makes the plan."
      },
      "plan": {
        "type": "string",
        "description": "Carry out only the plan with this id."
      },
      "state": {
        "type": "boolean",
        "description": "Take the run back as well; by default true, unless files are named."
      },
      "state_only": {
        "type": "boolean",
        "description": "Leave the files as they are."
      }
    }
  },
  "answer": {
    "type": "object",
    "properties": {
      "id": {
        "type": "string",
        "description": "The id of the snapshot whose files are back."
      },
      "prompt": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The beginning of the prompt; null where a rewind is undone."
      },
      "session": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The session whose changes are taken back."
      },
      "commits": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The commits that stay, where another one is checked out than then, such as `1a2b3c4..5d6e7f8`, or `up to 5d6e7f8` where there was none."
      },
      "plan": {
        "anyOf": [
          {
            "type": "object",
            "properties": {
              "id": {
                "type": "string",
                "description": "Stands for this very plan, so that it can be asked for."
              },
              "changes": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "path": {
                      "type": "string",
                      "description": "Relative to the root."
                    },
                    "act": {
                      "type": "string",
                      "enum": [
                        "write",
                        "delete",
                        "set_mode"
                      ],
                      "description": "The change: the content is written, the file deleted, or only the mode of a file or folder set."
                    },
                    "answer": {
                      "type": "string",
                      "description": "The comparison with what was recorded: `changed`, `missing`, `unexpected`."
                    }
                  },
                  "required": [
                    "path",
                    "act",
                    "answer"
                  ]
                },
                "description": "Every path that is touched, sorted."
              },
              "left": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "path": {
                      "type": "string",
                      "description": "Relative to the root."
                    },
                    "reason": {
                      "type": "string",
                      "description": "Why, as it goes on after the path."
                    }
                  },
                  "required": [
                    "path",
                    "reason"
                  ]
                },
                "description": "Paths that differ and cannot be restored."
              },
              "refusals": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "description": "Why it is not done; where there is a reason, nothing is touched."
              },
              "state": {
                "anyOf": [
                  {
                    "type": "string"
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "The run that is restored, as a new revision."
              },
              "run": {
                "anyOf": [
                  {
                    "type": "object",
                    "properties": {
                      "revision": {
                        "anyOf": [
                          {
                            "type": "integer"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "The revision whose content comes back; null where the snapshot does not say it."
                      },
                      "present": {
                        "anyOf": [
                          {
                            "type": "integer"
                          },
                          {
                            "type": "null"
                          }
                        ],
                        "description": "The present revision; null where the run does not exist."
                      },
                      "phases": {
                        "type": "array",
                        "items": {
                          "type": "string"
                        },
                        "description": "The changes of the phases, a line each."
                      }
                    },
                    "required": [
                      "revision",
                      "present",
                      "phases"
                    ]
                  },
                  {
                    "type": "null"
                  }
                ],
                "description": "The revision that the run goes back to; null where no run is restored."
              }
            },
            "required": [
              "id",
              "changes",
              "left",
              "refusals",
              "state",
              "run"
            ]
          },
          {
            "type": "null"
          }
        ],
        "description": "The paths that would be touched, or were, and those that stay."
      },
      "restored": {
        "type": "boolean",
        "description": "True if every file of the plan is back."
      },
      "undo": {
        "anyOf": [
          {
            "type": "string"
          },
          {
            "type": "null"
          }
        ],
        "description": "The snapshot of what was there, which `undo` brings back; null where nothing was touched."
      }
    },
    "required": [
      "id",
      "prompt",
      "session",
      "commits",
      "plan",
      "restored",
      "undo"
    ]
  }
};

/** The resume point, and what stopped there: of the run that is named, else of the one that `latest_here` means; null where nothing is unfinished. @type {Record<string, any>} */
export const resume_here = {
  "arguments": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "description": "Its command; without it, the run to carry on with is looked for."
      },
      "feature": {
        "type": "string",
        "description": "Its feature, if it has one."
      }
    }
  },
  "answer": {
    "anyOf": [
      {
        "type": "object",
        "properties": {
          "command": {
            "type": "string",
            "description": "Its command."
          },
          "feature": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "Its feature, if it has one."
          },
          "branch": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The branch that hooks recorded, null for a detached HEAD; absent where none was recorded."
          },
          "is_elsewhere": {
            "anyOf": [
              {
                "type": "boolean"
              },
              {
                "type": "null"
              }
            ],
            "description": "True for a run of another branch or worktree, and absent for one that belongs here."
          },
          "phase": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The phase to go on with; null where there is nothing to do."
          },
          "status": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The status of that phase; null without a phase."
          },
          "error": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The error that it failed with, if there is one."
          },
          "files_created": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "The files that it created."
          },
          "files_modified": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "The files that it modified."
          },
          "phase_summary": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The context summary of that phase itself, if it has one."
          },
          "summary": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The context summary of the last completed phase that has one."
          },
          "alongside": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "The other phases in progress."
          },
          "pending": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "The other pending phases, in the order in which they are to be done."
          },
          "since_recorded": {
            "anyOf": [
              {
                "type": "string"
              },
              {
                "type": "null"
              }
            ],
            "description": "The distance of HEAD since the run was recorded, in words, or that the repository does not show it; absent where HEAD has not moved."
          },
          "others": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "command": {
                  "type": "string",
                  "description": "Its command."
                },
                "feature": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "Its feature, if it has one."
                },
                "branch": {
                  "anyOf": [
                    {
                      "type": "string"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "The branch that hooks recorded, null for a detached HEAD; absent where none was recorded."
                },
                "is_elsewhere": {
                  "anyOf": [
                    {
                      "type": "boolean"
                    },
                    {
                      "type": "null"
                    }
                  ],
                  "description": "True for a run of another branch or worktree, and absent for one that belongs here."
                }
              },
              "required": [
                "command",
                "feature"
              ]
            },
            "description": "The other unfinished runs."
          }
        },
        "required": [
          "command",
          "feature",
          "phase",
          "status",
          "error",
          "files_created",
          "files_modified",
          "phase_summary",
          "summary",
          "alongside",
          "pending",
          "others"
        ]
      },
      {
        "type": "null"
      }
    ]
  }
};

/** The members of a phase. @type {Record<string, any>} */
export const phase = {
  "type": "object",
  "properties": {
    "status": {
      "type": "string",
      "enum": [
        "pending",
        "in_progress",
        "complete",
        "failed",
        "skipped"
      ],
      "description": "The status of the phase."
    },
    "started_at": {
      "type": "string",
      "description": "The time at which it was first touched."
    },
    "updated_at": {
      "type": "string",
      "description": "The time at which it was last changed."
    },
    "context_summary": {
      "type": "string",
      "description": "The facts for the next phase: at most 500 words and 64 KiB."
    },
    "files_created": {
      "type": "array",
      "items": {
        "type": "string"
      },
      "description": "Paths that the phase created."
    },
    "files_modified": {
      "type": "array",
      "items": {
        "type": "string"
      },
      "description": "Paths that the phase changed."
    },
    "error": {
      "type": "string",
      "description": "Why the phase failed."
    },
    "summary_source": {
      "type": "string",
      "description": "`auto` where the summary is an agent's last message and none was recorded; written by hooks."
    },
    "agent_task": {
      "type": "object",
      "properties": {
        "session": {
          "type": "string",
          "description": "The session whose plan it is."
        },
        "id": {
          "type": "string",
          "description": "Its id there, if it has one."
        },
        "text": {
          "type": "string",
          "description": "Its text, where that is not the name of the phase."
        },
        "call": {
          "type": "string",
          "description": "The call of the tool that created it, as the agent numbers them."
        },
        "dropped": {
          "type": "boolean",
          "description": "True if the plan does not have it any more."
        }
      },
      "required": [
        "session"
      ],
      "description": "The item of an agent's plan that the phase is; written by hooks."
    },
    "subagent_summaries": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "agent_type": {
            "type": "string",
            "description": "The purpose of the subagent."
          },
          "ended_at": {
            "type": "string",
            "description": "The time at which it ended."
          },
          "summary": {
            "type": "string",
            "description": "Its last message."
          }
        },
        "required": [
          "ended_at",
          "summary"
        ]
      },
      "description": "The last messages of subagents that worked in it; written by hooks."
    }
  },
  "required": [
    "status"
  ]
};
